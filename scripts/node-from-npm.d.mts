export function nodeFromNpm(version: string, platform?: string, arch?: string): Promise<string>;
