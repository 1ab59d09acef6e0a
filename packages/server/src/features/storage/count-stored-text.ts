import { isTextList, StoredText } from '../../db/stored-text/stored-text.ts';
import type { TextCodec } from '../../db/stored-text/text-codec.ts';
import type { StorageRoom } from './ports.ts';

/** Counts the texts that statements store, for the quotas of their workspaces. All of them pass the codec. */
export function countStoredText(codec: TextCodec, add: StorageRoom['add']): TextCodec {
  const count = (value: unknown): void => {
    if (value instanceof StoredText) add(value.workspace_id, Buffer.byteLength(value.text));
    else if (isTextList(value)) for (const item of value) count(item);
  };
  return {
    encode(values) {
      for (const value of values) count(value);
      return codec.encode(values);
    },
    decode: (result, values) => codec.decode(result, values),
  };
}
