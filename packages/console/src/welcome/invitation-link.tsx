import { welcomeTexts } from '../text/welcome.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-field.tsx';

const words = welcomeTexts.invite;

interface InvitationLinkProps {
  email: string;
  token: string;
  mailed: boolean;
  days: number;
  onAnother: () => void;
}

/** The link of an invitation. Its secret stands behind the #, which browsers do not send. */
export function InvitationLink({ email, token, mailed, days, onAnother }: InvitationLinkProps) {
  const link = `${location.origin}/invitation#token=${token}`;
  return (
    <div className="flex flex-col gap-3" role="status">
      <Field
        label={words.link}
        note={email}
        help={mailed ? `${words.linkHelp(days)} ${words.mailed(email)}` : words.linkHelp(days)}
      >
        <TextInput mono readOnly value={link} onFocus={(event) => event.target.select()} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={link} />
        <Button look="ghost" onClick={onAnother}>
          {words.another}
        </Button>
      </div>
    </div>
  );
}
