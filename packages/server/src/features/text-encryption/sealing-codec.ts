import type { QueryResult } from 'pg';
import {
  asColumnValue,
  deriveTextKey,
  escapeText,
  isJson,
  isMarked,
  openText,
  parseSealedText,
  sealText,
  TextDamaged,
  type TextPlace,
  unescapeText,
} from '../../db/stored-text/sealed-text.ts';
import { encodeKey, isTextList, StoredText } from '../../db/stored-text/stored-text.ts';
import { encodePlainText, type TextCodec } from '../../db/stored-text/text-codec.ts';
import type { TextColumn } from '../../db/stored-text/text-columns.ts';
import type { BlobKeys } from '../../drivers/blobs/driver.ts';
import type { BoxKey } from '../../lib/secrets/sealed-box.ts';
import type { FindTextFields, TextField } from './text-fields.ts';

type Row = Record<string, unknown>;

/** Whether a list of values, or a list in it, has this one. */
const includes = (values: readonly unknown[], key: string): boolean =>
  values.some((value) => (Array.isArray(value) ? includes(value, key) : encodeKey(value as string) === key));

/** The row must be the one that the text was sealed for: by its own columns, or by what the statement asked for. */
function isForRow({ keys }: TextField, names: readonly string[], row: Row, values: readonly unknown[]): boolean {
  return keys().every((fields, index) => {
    const name = names[index] ?? '';
    if (fields.length) return fields.some((field) => encodeKey(row[field] as string) === name);
    return includes(Object.values(row), name) || includes(values, name);
  });
}

const movedText = (column: TextColumn) => new TextDamaged(`The text in ${column} belongs to another row`);

/** Stores text sealed or plain, as the switch says, and reads both forms at all times. */
export interface SealingCodec extends TextCodec {
  /** The value to store for a text. */
  encodeText(text: StoredText): Promise<string>;
  /** The plain text of the value that is stored in a place, for a column of JSON as JSON text. */
  decodeText(place: TextPlace, stored: string): Promise<string>;
}

export function makeSealingCodec(deps: {
  keys: BlobKeys;
  findTextFields: FindTextFields;
  encrypt: boolean;
}): SealingCodec {
  const { keys, findTextFields, encrypt } = deps;
  const derived = new Map<string, BoxKey>();

  function textKey(key: BoxKey, workspace_id: string): BoxKey {
    const name = `${workspace_id} ${key.id}`;
    const known = derived.get(name);
    if (known) return known;
    const own = deriveTextKey(key, workspace_id);
    derived.set(name, own);
    return own;
  }

  async function encodeText(text: StoredText): Promise<string> {
    if (!encrypt) return escapeText(text.column, text.text);
    const key = textKey(await keys.current(text.workspace_id), text.workspace_id);
    return asColumnValue(text.column, sealText(key, text, text.text));
  }

  /** Opens a sealed text for the place that it names itself. */
  async function openStored(column: TextColumn, stored: string) {
    const sealed = parseSealedText(stored);
    if (!sealed) return { names: undefined, plain: unescapeText(stored) };
    const { workspace_id, row, key_id, body } = sealed;
    const key = await keys.find(workspace_id, key_id);
    if (!key) throw new TextDamaged(`The text in ${column} was sealed with a key that its workspace does not have`);
    const plain = openText(textKey(key, workspace_id), { column, workspace_id, row }, body);
    return { names: [workspace_id, ...row.split('/')], plain };
  }

  const encodeValue = async (value: unknown): Promise<unknown> => {
    if (value instanceof StoredText) return encodeText(value);
    return isTextList(value) ? Promise.all(value.map(encodeValue)) : value;
  };

  async function decodeField(row: Row, field: TextField, values: readonly unknown[]): Promise<void> {
    const { names, plain } = await openStored(field.column, row[field.name] as string);
    if (names && !isForRow(field, names, row, values)) throw movedText(field.column);
    row[field.name] = names && isJson(field.column) ? JSON.parse(plain) : plain;
  }

  return {
    encodeText,

    async decodeText({ column, workspace_id, row }, stored) {
      const value = isJson(column) ? JSON.parse(stored) : stored;
      if (!isMarked(value)) return stored;
      const { names, plain } = await openStored(column, value);
      if (!names) return isJson(column) ? JSON.stringify(plain) : plain;
      if (names.join('/') !== `${workspace_id}/${row}`) throw movedText(column);
      return plain;
    },

    encode: (values) => (encrypt ? Promise.all(values.map(encodeValue)) : encodePlainText(values)),

    decode({ rows, fields }: Pick<QueryResult, 'rows' | 'fields'>, values) {
      const found = rows.length > 0 ? findTextFields(fields) : [];
      let opening: Promise<void>[] | undefined;
      for (const field of found)
        for (const row of rows)
          if (isMarked(row[field.name])) {
            opening ??= [];
            opening.push(decodeField(row, field, values));
          }
      return opening && Promise.all(opening).then(() => undefined);
    },
  };
}
