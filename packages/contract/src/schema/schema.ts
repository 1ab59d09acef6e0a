/** Everything a feature's `schema.ts` is written with. Import as `import * as s from '…/lib/schema/schema.ts'`. */
export { dict, list, object, optional, query, withDefault } from './compose.ts';
export { datetime, datetimeOrEmpty } from './datetime.ts';
export { bool, int, number } from './numbers.ts';
export { sparse } from './sparse.ts';
export { oneOf, str, uuid, uuidOrEmpty } from './strings.ts';
