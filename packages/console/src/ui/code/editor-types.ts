import type { Ref } from 'react';

export type CodeLanguage = 'sql' | 'json' | 'expression' | 'text';

/** A text that the editor offers while one types. */
export interface CodeCompletion {
  label: string;
  kind?: 'keyword' | 'function' | 'variable' | 'property' | 'table' | 'column' | 'text';
  /** Behind the label, such as a type or the value of the last run. */
  detail?: string;
  /** Beside the list, for the chosen entry. */
  info?: string;
  /** What is written, where it is not the label. */
  insert?: string;
}

export interface CodePlace {
  text: string;
  position: number;
  /** Letters, digits, `_`, `.` and `$` before the cursor. */
  word: string;
  /** The person asked by a key, so that an empty word is answered too. */
  asked: boolean;
}

export interface CodeCompletions {
  /** Where the text begins that a chosen entry replaces. */
  from: number;
  options: readonly CodeCompletion[];
}

export interface CodeFault {
  from: number;
  to: number;
  message: string;
  severity?: 'error' | 'warning';
}

export interface CodeEditorHandle {
  focus: () => void;
  /** Writes a text in place of what is selected. */
  insert: (text: string) => void;
}

export interface CodeEditorProps {
  /** Names the field for screen readers. */
  label: string;
  value: string;
  onChange?: (value: string) => void;
  language: CodeLanguage;
  completions?: (place: CodePlace) => CodeCompletions | undefined | Promise<CodeCompletions | undefined>;
  /** Finds faults once the text has stood still for a moment. */
  lint?: (text: string) => readonly CodeFault[] | Promise<readonly CodeFault[]>;
  /** Columns by the names of tables, which the completion of SQL offers. */
  schema?: Readonly<Record<string, readonly string[]>>;
  readOnly?: boolean | undefined;
  singleLine?: boolean;
  /** The fewest and the most lines in view. */
  rows?: number;
  maxRows?: number;
  placeholder?: string;
  autoFocus?: boolean;
  /** Pressed: ⌘↵ or Ctrl ↵; in a single line also ↵. */
  onSubmit?: () => void;
  ref?: Ref<CodeEditorHandle>;
}
