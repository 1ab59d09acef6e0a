import type { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { Scope } from '../../lib/scope.ts';

/** Pictures of files, kept in the blob store once they are drawn. */
export interface Previews {
  /** A page of a file that the caller may read, as a picture; fails with 409 `no_preview`. */
  draw(scope: Scope, file_id: string, request: { page: number; width: number }): Promise<RawAnswer>;
}
