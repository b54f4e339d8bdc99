// The tools an agent is given, in the order in which they are used.
import { doctorTool } from "./doctor.ts";
import { outlineTool } from "./outline.ts";
import { readTool } from "./read.ts";
import { searchTool } from "./search.ts";
import type { WikiTool } from "./tool.ts";

export const TOOLS: readonly WikiTool[] = [searchTool, outlineTool, readTool, doctorTool];
