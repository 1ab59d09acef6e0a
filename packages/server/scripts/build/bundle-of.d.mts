export const listFile: string;
export function bundleOf(dist: string, stamp: string): string | undefined;
