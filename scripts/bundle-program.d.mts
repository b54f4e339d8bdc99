export function bundleProgram(source: string): Promise<string>;
