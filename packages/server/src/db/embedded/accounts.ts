import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

export interface Account {
  uid: number;
  gid: number;
}

/** initdb wants a name for its uid; containers often run with one that has none. */
export function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** For root to become. Read from the file, as there is no call for it in Node. */
export function unprivilegedAccount(): Account | null {
  let lines: string[][];
  try {
    lines = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return null;
  }
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line[0] === name) ?? [];
    // On macOS the account `nobody` has the id -2.
    if (Number(uid) && Number(gid)) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  return null;
}
