import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { as } from '../../src/features/people/testing.ts';
import type { Answer, TestApp } from '../../test/support/test-app.ts';

type Json = Answer['json'];

/** A marked word, and the kind of record and the field of it that hold the word. */
export interface Word {
  text: string;
  kind: string;
  field: string;
}

/** A record of person A: its id, and the ids of the records that stand before it in a path. */
interface PlantedRecord {
  id: string;
  parents: Readonly<Record<string, string>>;
}

/** Stands beside every marked word, so that one search finds all of them and no answer repeats a word that was asked for. */
export const neighbour = 'quokka';

const letters = () => [...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

/** What plants need: marked words, the places to note records, and calls as person A or as the administrator. */
export type Planting = ReturnType<typeof makePlanting>;

export function makePlanting(app: TestApp, { cookie, ...people }: People) {
  const words: Word[] = [];
  const records = new Map<string, PlantedRecord[]>();
  const check = (answer: Answer, what: string): Json => {
    assert.ok(answer.status < 300, `could not plant: ${what} answered ${answer.status} ${answer.text}`);
    return answer.json;
  };
  return {
    ...people,
    words,
    records,
    query: app.query,
    /** A new marked word, without its neighbour where a name takes no spaces. */
    bare(kind: string, field: string): string {
      const text = `mw${letters()}`;
      words.push({ text, kind, field });
      return text;
    },
    word(kind: string, field: string): string {
      return `${neighbour} ${this.bare(kind, field)}`;
    },
    /** Notes a record under the kind that paths and filters of the contract name it by. */
    note(kind: string, id: string, parents: Record<string, string> = {}): string {
      assert.ok(id, `a ${kind} has no id`);
      records.set(kind, [...(records.get(kind) ?? []), { id, parents }]);
      return id;
    },
    /** Calls as person A. */
    async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Json> {
      return check(await app.call(method, path, body, as(cookie, headers)), `${method} ${path}`);
    },
    async administer(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      return check(await app.call(method, path, body, { headers }), `${method} ${path}`);
    },
  };
}

export interface People {
  /** The workspace in which everything is planted. */
  workspace_id: string;
  /** The session and the id of person A. */
  cookie: string;
  person_id: string;
  /** The person whom A's conversation is shared with. */
  sharee_id: string;
}

/** A form with one text file. */
export const fileForm = (field: string, filename: string, content: string) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=B' },
  body: `--B\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\n\r\n${content}\r\n--B--\r\n`,
});
