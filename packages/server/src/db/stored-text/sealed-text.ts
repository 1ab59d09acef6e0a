import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BoxKey } from '../../lib/secrets/sealed-box.ts';
import { type TextColumn, textColumns } from './text-columns.ts';

/** What every value begins with that is not the plain text itself. */
const mark = 'atrium-sealed:';
const sealedMark = `${mark}1:`;
/** Before plain text that itself begins with the mark, so that no text passes for a sealed one. */
const escapeMark = `${mark}0:`;

/** Stored text that does not open: damaged, or moved from another place. */
export class TextDamaged extends Error {}

/** Where a text is stored. Sealed text opens in no other place. */
export interface TextPlace {
  column: TextColumn;
  workspace_id: string;
  row: string;
}

export const isJson = (column: TextColumn) => textColumns[column].type === 'json';

/** A key for texts alone, so that the key it is derived from does nothing but encrypt files. */
export const deriveTextKey = ({ id, secret }: BoxKey, workspace_id: string): BoxKey => ({
  id,
  secret: Buffer.from(hkdfSync('sha256', secret, '', `atrium text 1\0${id}\0${workspace_id}`, 32)),
});

/**
 * Names of conversations are in an index, whose entries have at most 2,704 bytes. The longest name of four bytes a letter
 * would not fit when it is sealed, so that long ones are compressed first.
 */
const mostIndexedBytes = 1500;
const mustCompress = ({ column }: TextPlace, bytes: Buffer) =>
  column === 'conversations.name' && bytes.length > mostIndexedBytes;
/** Before the body of a compressed text; no letter of base64url. */
const compressedMark = '.';

const context = ({ column, workspace_id, row }: TextPlace, key_id: string, compressed: string) =>
  Buffer.from(`${sealedMark}${key_id}${compressed}\0${workspace_id}\0${column}\0${row}`);

/** AES-256-GCM with a random nonce: `atrium-sealed:1:workspace:row:key id:nonce, text and tag`. */
export function sealText(key: BoxKey, place: TextPlace, plain: string): string {
  const nonce = randomBytes(12);
  const bytes = Buffer.from(plain);
  const compressed = mustCompress(place, bytes) ? compressedMark : '';
  const cipher = createCipheriv('aes-256-gcm', key.secret, nonce);
  cipher.setAAD(context(place, key.id, compressed));
  const content = cipher.update(compressed ? deflateRawSync(bytes) : bytes);
  const sealed = Buffer.concat([nonce, content, cipher.final(), cipher.getAuthTag()]);
  return `${sealedMark}${place.workspace_id}:${place.row}:${key.id}:${compressed}${sealed.toString('base64url')}`;
}

export interface SealedText {
  workspace_id: string;
  row: string;
  key_id: string;
  body: string;
}

/** The parts of a sealed text; undefined for plain text. */
export function parseSealedText(stored: string): SealedText | undefined {
  if (!stored.startsWith(sealedMark)) return undefined;
  const [workspace_id, row, key_id, body] = stored.slice(sealedMark.length).split(':');
  if (!workspace_id || row === undefined || !key_id || !body) throw new TextDamaged('A sealed text is damaged');
  return { workspace_id, row, key_id, body };
}

export function openText(key: BoxKey, place: TextPlace, body: string): string {
  const compressed = body.startsWith(compressedMark) ? compressedMark : '';
  const sealed = Buffer.from(body.slice(compressed.length), 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.secret, sealed.subarray(0, 12), { authTagLength: 16 });
    decipher.setAAD(context(place, key.id, compressed));
    decipher.setAuthTag(sealed.subarray(-16));
    const opened = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
    return (compressed ? inflateRawSync(opened) : opened).toString();
  } catch {
    throw new TextDamaged(`The sealed text in ${place.column} is damaged or was sealed for another place`);
  }
}

/** The plain text that a value stands for which is not sealed. */
export const unescapeText = (stored: string) =>
  stored.startsWith(escapeMark) ? stored.slice(escapeMark.length) : stored;

export const isMarked = (value: unknown): value is string => typeof value === 'string' && value.startsWith(mark);

/** How plain text is stored: as it is, unless it begins with the mark. JSON text stays JSON. */
export function escapeText(column: TextColumn, plain: string): string {
  if (!isJson(column)) return plain.startsWith(mark) ? escapeMark + plain : plain;
  return plain.startsWith(`"${mark}`) ? `"${escapeMark}${plain.slice(1)}` : plain;
}

/** How sealed text is stored in a column: a JSON column takes it as a JSON string. */
export const asColumnValue = (column: TextColumn, sealed: string) => (isJson(column) ? JSON.stringify(sealed) : sealed);

/** LIKE pattern of the sealed values of a column. */
export const sealedPattern = (column: TextColumn) => `${isJson(column) ? '"' : ''}${sealedMark}%`;
