import * as s from '../../schema/schema.ts';

/** Values that several settings of knowledge bases have. */
export const chunkSize = s.int({ ge: 50, le: 1_000_000 });
export const chunkOverlap = s.int({ ge: 0, le: 500_000 });
export const share = s.number({ ge: 0, le: 1 });
export const modelNames = s.list(s.str({ min: 1, max: 300 }), { max: 20 });
