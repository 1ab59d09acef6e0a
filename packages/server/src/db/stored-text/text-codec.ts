import type pg from 'pg';
import { escapeText } from './sealed-text.ts';
import { isTextList, StoredText } from './stored-text.ts';

type Result = Pick<pg.QueryResult, 'rows' | 'fields'>;

/** Turns text into what is stored, and back. A promise only where a key may have to be loaded. */
export interface TextCodec {
  /** The values of a statement with stored text in place of `StoredText`. */
  encode(values: readonly unknown[]): unknown[] | Promise<unknown[]>;
  /** Puts plain text into the rows of a result. */
  decode(result: Result, values: readonly unknown[]): Promise<void> | undefined;
}

const encodePlain = (value: unknown): unknown => {
  if (value instanceof StoredText) return escapeText(value.column, value.text);
  return isTextList(value) ? value.map(encodePlain) : value;
};

export const encodePlainText = (values: readonly unknown[]): unknown[] => values.map(encodePlain);

/** For databases without keys: text is stored as it is. */
export const plainText: TextCodec = { encode: encodePlainText, decode: () => undefined };
