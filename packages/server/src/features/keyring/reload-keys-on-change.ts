import type { Notifier } from '../../db/notifier.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { MasterKeys } from './master-keys.ts';
import { keyringTopic } from './rotate-keys.ts';
import type { Keyring } from './service.ts';

/** Reloads the keys when they are being replaced, and when a notification of that may have been missed. */
export function reloadKeysOnChange(deps: {
  notifier: Notifier;
  masters: MasterKeys;
  keyrings: Record<string, Keyring>;
  log: Log;
}): void {
  const { notifier, masters, keyrings, log } = deps;
  const lookAgain = () => {
    for (const keyring of Object.values(keyrings)) keyring.forget();
    // A key that can't be found now is looked for again when it is needed.
    masters.reload().catch((error) => log.warn('The master key could not be read again', errorFields(error)));
  };
  notifier.on(keyringTopic, lookAgain);
  notifier.onMissed(lookAgain);
}
