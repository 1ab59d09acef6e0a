export const taints = ['untrusted', 'private'] as const;
/** What a tool result brings into a run: `untrusted` text that anyone may have written, or `private` data of the workspace. */
export type Taint = (typeof taints)[number];

/** How one tool call went, besides its result. */
export interface ToolAccount {
  outcome: ToolOutcomeKind;
  ms: number;
  /** In US dollars. */
  cost: number;
  /** What it brought into the conversation; an egress tool is held back by it. */
  brings: readonly Taint[];
}

/**
 * `refused`: the caller lacks the permission. `rejected`: a person rejected the call, or no person approved it in time. `invalid`: there
 * is no such tool, or the input did not fit it.
 */
export type ToolOutcomeKind = 'ok' | 'error' | 'timeout' | 'refused' | 'rejected' | 'invalid';

/** A file that a tool made. It is a file of the workspace; the reply shows it. */
export interface ToolFile {
  id: string;
  name: string;
  size: number;
  /** Its media type. */
  type: string;
  /** `store://<id>` */
  url: string;
  /** Whether it is to be shown in the reply itself rather than offered for saving. */
  inline: boolean;
}

/** How far a workflow has come that ran for a reply. */
export interface ToolProgress {
  run_id: string;
  workflow_id: string;
  /** The name of the workflow. */
  title: string;
  status: string;
  /** From 0 to 100. */
  progress: number;
  nodes: readonly { id: string; label: string; status: string }[];
}

/** Where in a document of a knowledge base something stands: offsets in its text, and pages where it has any. */
export interface SourceLocation {
  kb_id: string;
  document_id: string;
  start: number;
  end: number;
  page: number | null;
  end_page: number | null;
}

/** An image that belongs to a source: an address, or `store://<id>` of a stored file. */
export interface SourceImage {
  url: string;
  /** Its media type. */
  type: string;
}

/** Something that a reply rests on. */
export interface ToolSource {
  url: string | null;
  title: string;
  quote: string | null;
  place?: SourceLocation;
  images?: readonly SourceImage[];
}
