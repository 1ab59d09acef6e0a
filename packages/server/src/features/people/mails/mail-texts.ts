/** A mail before it is sent. */
export interface MailText {
  to: string;
  subject: string;
  text: string;
}

/**
 * A name that other people chose, as part of a sentence: one short line without anything that programs would show as a link
 * or as markup.
 */
export const plainName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} .,'’&()-]/gu, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80);

/** The secret stands behind the #, which browsers do not send: no log of a server or proxy has it. */
const linkTo = (public_url: string, page: 'invitation' | 'reset', token: string) =>
  `${public_url}/${page}#token=${token}`;

export interface LinkMail {
  to: string;
  public_url: string;
  token: string;
}

export interface InvitationMail extends LinkMail {
  /** The name of the workspace. */
  workspace: string;
  days: number;
}

export const invitationMail = ({ to, public_url, token, workspace, days }: InvitationMail): MailText => ({
  to,
  subject: 'You are invited to Atrium',
  text: `You are invited to the workspace "${plainName(workspace)}".

Open this link to join. It works once, for ${days === 1 ? 'one day' : `${days} days`}:

${linkTo(public_url, 'invitation', token)}

If you do not know what this is about, ignore this mail.
`,
});

/** What is waiting for a person, as lines that name no record. */
export const noticeMail = ({
  to,
  public_url,
  name,
  subject,
  lines,
}: {
  to: string;
  public_url: string;
  name: string;
  subject: string;
  lines: readonly string[];
}): MailText => ({
  to,
  subject,
  text: `Hello ${plainName(name)},

this waits for you in Atrium:

${lines.join('\n')}

Open Atrium to see it:

${public_url}/

Your preferences say what is mailed to you.
`,
});

export const resetMail = ({ to, public_url, token, name }: LinkMail & { name: string }): MailText => ({
  to,
  subject: 'Set a new password for Atrium',
  text: `Hello ${plainName(name)},

somebody asked for a new password for this address. Open this link to set one. It works once, for one hour:

${linkTo(public_url, 'reset', token)}

If it was not you, ignore this mail: your password stays as it is.
`,
});
