/** What the server tells the public chat page of a channel. */
export interface VisitorConfig {
  /** The secret of the page's address: it begins conversations. */
  token: string;
  deployment_id: string;
  title: string;
  greeting: string;
  placeholder: string;
  /** The words with which the agent leaves a message unanswered. */
  no_reply: string | null;
  accent: string | null;
  allow_files: boolean;
}

/** Null when nothing is deployed under the address. */
export function readConfig(): VisitorConfig | null {
  return JSON.parse(document.getElementById('chat')?.textContent || 'null') as VisitorConfig | null;
}
