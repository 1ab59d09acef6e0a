/** By path: size, times and inode, or an empty text where there is nothing. */
export type States = Record<string, string>;

export function readStates(root: string, paths: readonly string[], now?: number): States | undefined;
export function noteStates(file: string, stamp: string, states: States | undefined): void;
export function stampOfUnchanged(file: string, root: string): string | undefined;
