const powersOfTen = /(?<![\w.])[\d.]+e[+-]?\d{3,}(?!\w)/gi;

/** How many numbers in a text are written shorter than they are: PostgreSQL writes `1e131071` with all its digits. */
export const countPowersOfTen = (text: string): number => text.match(powersOfTen)?.length ?? 0;
