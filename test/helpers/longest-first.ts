// The files that take minutes begin first, so that no worker is left alone with one of them at the end. Vitest itself
// would take the largest files first, and those are not the longest.
import { BaseSequencer, type TestSpecification } from "vitest/node";

const LONGEST = [
  "runtime/probes",
  "parity/payloads",
  "parity/reading",
  "runtime/runaways",
  "runtime/memory",
  "properties/",
  "runtime/python-suite",
  "quality/quality",
  "parity/ranking",
  "cli/answers",
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((part) => moduleId.includes(`/test/${part}`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
