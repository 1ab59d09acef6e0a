// The style sheet takes its class names from files with this ending.
const fills = ['fill-c1', 'fill-c2', 'fill-c4', 'fill-c3', 'fill-c5', 'fill-c6'] as const;
const strokes = ['stroke-c1', 'stroke-c2', 'stroke-c4', 'stroke-c3', 'stroke-c5', 'stroke-c6'] as const;
const grounds = ['bg-c1', 'bg-c2', 'bg-c4', 'bg-c3', 'bg-c5', 'bg-c6'] as const;
export const fillOf = (index: number): string => fills[index % fills.length] ?? '';
export const strokeOf = (index: number): string => strokes[index % strokes.length] ?? '';
export const groundOf = (index: number): string => grounds[index % grounds.length] ?? '';
