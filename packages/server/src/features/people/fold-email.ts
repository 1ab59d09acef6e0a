/**
 * A mail address as it is stored, searched and counted. Folded here and not by the database, which folds some letters in another
 * way: several spellings of one account would each have tries of their own.
 */
export const foldEmail = (email: string): string => email.normalize('NFC').toLowerCase();
