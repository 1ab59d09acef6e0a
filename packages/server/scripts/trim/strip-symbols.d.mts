export function stripSymbols(path: string): void;
