import * as z from 'zod';
import { notificationKindNames } from '../notifications/kinds.ts';
import * as s from '../schema/schema.ts';

const mostCharacters = 64_000;
const name = s.str({ min: 1, max: 100 });

const pinned = s
  .object({
    kind: s.oneOf(['agent', 'conversation', 'workflow', 'knowledge_base', 'table']).describe('What it is.'),
    id: s.uuid().describe('Its id. Pinning gives no right to it.'),
  })
  .meta({ id: 'PinnedItem' });

const savedFilter = s
  .object({
    name: name.describe('What the person calls it.'),
    page: name.describe('The list that it belongs to, as `conversations`.'),
    query: s.dict().describe('The parameters of the list.'),
  })
  .meta({ id: 'SavedFilter' });

/** A zone that dates can be shown in. */
const timeZone = s.str({ min: 1, max: 64 }).refine((zone) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}, 'this is no time zone; give one such as Europe/Paris');

/** How a person wants to hear of one kind of notification. */
const notificationWays = s
  .object({
    in_app: s.withDefault(s.bool(), true).describe('Whether it is listed. Off: the person does not hear of it at all.'),
    mail: s.withDefault(s.bool(), false).describe('Whether it is mailed, if it is still unread after five minutes.'),
    push: s.withDefault(s.bool(), true).describe('Whether it is sent to the devices that the person has added.'),
  })
  .meta({ id: 'NotificationWays' });

export const preferences = s
  .object({
    theme: s
      .withDefault(s.oneOf(['system', 'light', 'dark']), 'system')
      .describe('Colours; `system` follows the device.'),
    density: s
      .withDefault(s.oneOf(['comfortable', 'compact']), 'comfortable')
      .describe('How much space lists leave between their lines.'),
    language: s
      .withDefault(s.str({ pattern: /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/ }), 'en')
      .describe('Language of the interface, and of how figures are written, as `en` or `de-AT`.'),
    time_zone: s
      .optional(timeZone)
      .describe('Zone that times are shown in, as Europe/Paris; that of the device unless given.'),
    single_keys: s
      .withDefault(s.bool(), true)
      .describe('Whether shortcuts of a single key work; those with Ctrl or ⌘ always do.'),
    send_key: s
      .withDefault(s.oneOf(['enter', 'mod_enter']), 'enter')
      .describe('The key that sends a message: Enter, or Enter with Ctrl or ⌘, where Enter makes a new line.'),
    pinned: s.withDefault(s.list(pinned, { max: 100 }), []).describe('What the person has pinned, in order.'),
    saved_filters: s
      .withDefault(s.list(savedFilter, { max: 100 }), [])
      .describe('Filters of lists that the person has named.'),
    widths: s
      .withDefault(z.record(z.string().max(100), z.number().min(0).max(10_000)), {})
      .describe('Widths of columns and panels in pixels, by their names.'),
    notifications: s
      .withDefault(z.partialRecord(z.enum(notificationKindNames), notificationWays), {})
      .describe(
        `How to hear of each kind of notification; kinds that are left out are listed, and sent to devices. Kinds: ${notificationKindNames.join(', ')}.`,
      ),
  })
  .refine((all) => JSON.stringify(all).length <= mostCharacters, `should have at most ${mostCharacters} characters`)
  .meta({ id: 'Preferences' });

export type NotificationWays = z.output<typeof notificationWays>;
export const usualWays: NotificationWays = notificationWays.parse({}, { jitless: true });
export type Preferences = z.output<typeof preferences>;
