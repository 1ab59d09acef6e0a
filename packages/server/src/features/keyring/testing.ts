import { type BoxKey, open } from '../../lib/secrets/sealed-box.ts';
import type { MasterKeys } from './master-keys.ts';

/** A master key that is never replaced. */
export const fixedMasterKey = (key: BoxKey): MasterKeys => ({
  current: () => key,
  unwrap: async (context, box) => open(key, context, box),
  reload: async () => {},
});
