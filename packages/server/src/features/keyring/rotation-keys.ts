import type { BoxKey } from '../../lib/secrets/sealed-box.ts';
import {
  loadMasterKey,
  type MasterKeySource,
  masterKeyFrom,
  nextKeyFile,
  promoteNextMasterKey,
} from './load-master-key.ts';

export interface RotationKeys {
  /** The master key in use, and the one to replace it. */
  last: BoxKey;
  next: BoxKey;
  /** Puts the next key where programs find it when they start. */
  promote(): void;
  /** Whether programs that start with the last key must still find the next one, until they are given it. */
  keep_bridge: boolean;
}

/** The next master key comes from where the present one comes from: the data directory or the environment. */
export function rotationKeysOf(config: MasterKeySource & { new_secret_key: string | undefined }): RotationKeys {
  const { secret_key, new_secret_key, data_dir } = config;
  if (secret_key === undefined) {
    if (new_secret_key !== undefined)
      throw new Error(
        'The master key is in the data directory, where its successor is made too: unset ATRIUM_NEW_SECRET_KEY',
      );
    const last = loadMasterKey({ data_dir, secret_key });
    return { last, next: nextKeyFile(data_dir), promote: () => promoteNextMasterKey(data_dir), keep_bridge: false };
  }
  if (new_secret_key === undefined || new_secret_key === secret_key)
    throw new Error(
      'The master key comes from ATRIUM_SECRET_KEY: set ATRIUM_NEW_SECRET_KEY to the one that shall take its place ' +
        '(`openssl rand -base64 32` makes a good one)',
    );
  const [last, next] = [masterKeyFrom(secret_key), masterKeyFrom(new_secret_key)];
  return { last, next, promote() {}, keep_bridge: true };
}
