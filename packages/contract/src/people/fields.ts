import * as s from '../schema/schema.ts';

export const personName = s.str({ min: 1, max: 200 });
/** One address; people are found by it without regard to upper and lower case. No blanks, controls or characters without a shape. */
export const email = s.str({
  ...{ min: 3, max: 254 },
  pattern:
    /^[!-?A-~\u00ae-\u167f\u1681-\u1fff\u2c00-\u2fff\u3001-\ufdff]+@[!-?A-~\u00ae-\u167f\u1681-\u1fff\u2c00-\u2fff\u3001-\ufdff]+$/,
});
/** No rules about kinds of characters: the server refuses passwords that are easy to guess. */
export const newPassword = s.str({ min: 12, max: 200, secret: true });
