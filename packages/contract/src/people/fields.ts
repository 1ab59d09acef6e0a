import * as s from '../schema/schema.ts';

export const personName = s.str({ min: 1, max: 200 });
/** One address; people are found by it without regard to upper and lower case. */
export const email = s.str({ min: 3, max: 254, pattern: /^[^\s@]+@[^\s@]+$/ });
/** Long enough that guessing over the network is hopeless; no rules about kinds of characters. */
export const newPassword = s.str({ min: 10, max: 200, secret: true });
