/** The server that takes mail, and who we are to it. */
export interface MailServer {
  host: string;
  port: number;
  /** `starttls`: in plain until both sides can encrypt, and never without; `tls` from the first byte; `none` not at all. */
  tls: 'starttls' | 'tls' | 'none';
  username: string | null;
  password: string | null;
}

export interface OutgoingMail {
  from: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  message_id: string;
  in_reply_to: string | null;
  references: readonly string[];
  headers: Readonly<Record<string, string>>;
  files: readonly { name: string; type: string; bytes: Buffer }[];
}

export interface Mail {
  /** Resolves when the server has taken it. Fails with MailRefused. */
  send(server: MailServer, mail: OutgoingMail): Promise<void>;
  /** Resolves when the server has greeted and taken who we are; nothing is sent. Fails with MailRefused. */
  check(server: MailServer): Promise<void>;
}

/** Why a mail was not taken, in words that hold neither it nor a secret. */
export class MailRefused extends Error {
  /** The server will not take it another time either. */
  readonly final: boolean;

  constructor(message: string, final: boolean, cause?: unknown) {
    super(message, { cause });
    this.final = final;
  }
}
