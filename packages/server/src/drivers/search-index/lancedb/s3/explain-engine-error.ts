import { S3Failed } from '../../../s3/s3-failed.ts';
import { IndexMissing } from '../../driver.ts';

const saysMissing = /not found|NoSuchKey|status code: 404/i;
/** Words of the engine for a store that does not answer, or not with what was asked. */
const saysUnreachable =
  /Generic S3 error|HTTP error|error sending request|request or response body|timed? ?out|connect(?:ion)? |retries/i;

/** Without addresses: they name the store, the bucket and the workspace. */
const withoutAddresses = (error: unknown) => String(error).replaceAll(/[a-z0-9]*:\/\/[^\s"',)]+/gi, '(address)');

export const unreachable = (status: number | undefined, reason: string) =>
  new S3Failed(status, reason, 'The search index is not at hand; try again later');

/** Only what the store says is gone, or what is damaged, is rebuilt: an index that can't be reached for a while is not. */
export function explainEngineError(error: unknown): S3Failed | IndexMissing {
  const text = String(error);
  if (!saysMissing.test(text) && saysUnreachable.test(text)) {
    const status = /status code: (\d{3})/i.exec(text)?.[1];
    return unreachable(status === undefined ? undefined : Number(status), 'engine');
  }
  return new IndexMissing(new Error(withoutAddresses(error).slice(0, 500)));
}
