import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { rowName, storedText } from '../../db/stored-text/stored-text.ts';
import { type TextColumn, textColumns } from '../../db/stored-text/text-columns.ts';
import { defineJob } from '../../lib/define-job.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { SealingCodec } from './sealing-codec.ts';
import { findConverted, firstPlace, listOtherForm, recordConverted, replaceValue } from './text-column-store.ts';

const pageSize = 200;
/** Every so many values the job says how far it is. */
const reportEvery = 10_000;

interface Converting {
  db: Database;
  codec: SealingCodec;
  encrypt: boolean;
  /** Whether anything was ever encrypted. */
  wasEncrypted(): Promise<boolean>;
}

/** Brings the values of one column into the wanted form. Can be stopped at any point and repeated. */
async function convertColumn(
  { db, codec, encrypt }: Converting,
  column: TextColumn,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  let [converted, failed] = [0, 0];
  const next = (after: string) => listOtherForm(db, column, encrypt, after, pageSize);
  for (let page = await next(firstPlace); page.length > 0; page = await next(page.at(-1)?.place ?? firstPlace))
    for (const value of page) {
      if (signal.aborted) return;
      const { workspace_id, keys, stored } = value;
      try {
        const place = { column, workspace_id, row: rowName(keys) };
        const text = storedText(column, workspace_id, keys, await codec.decodeText(place, stored));
        converted += await replaceValue(db, column, value, await codec.encodeText(text));
        if (converted > 0 && converted % reportEvery === 0)
          log.info('text.converting', { column, converted, encrypted: encrypt });
      } catch (error) {
        failed++;
        log.warn('text.not-converted', { column, workspace_id, row: rowName(keys), ...errorFields(error) });
      }
    }
  if (converted > 0) log.info('text.converted', { column, converted, encrypted: encrypt });
  if (failed === 0) await recordConverted(db, column, encrypt);
}

/** Brings text that was stored before the switch was set into the form that new text has. */
export const makeConvertTextJob = (converting: Converting) =>
  defineJob({
    job: 'text.convert',
    payload: z.object({}),
    attempts: 1,
    schedule: '17 * * * *',
    alone: true,
    handler: async (context) => {
      const { db, encrypt, wasEncrypted } = converting;
      if (!encrypt && !(await wasEncrypted())) return;
      for (const column of Object.keys(textColumns) as TextColumn[]) {
        if (context.signal.aborted) return;
        const last = await findConverted(db, column);
        // Looked at again once a day: a process with another value of the switch may have written since.
        if (last?.sealed === encrypt && last.recent) continue;
        await convertColumn(converting, column, context);
      }
    },
  });
