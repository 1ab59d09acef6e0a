import type { AtriumError } from '@atrium/sdk';
import { type ReactNode, useId } from 'react';
import type { Failure } from '../../api/failures.ts';
import { type FieldFaults, useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';

interface FormDialogProps {
  title: string;
  help?: ReactNode;
  /** Says the result: "Make role". */
  action: string;
  onClose: () => void;
  /** Closes when it resolves; what it throws is shown at the fields or above them. */
  send: () => Promise<unknown>;
  check?: () => FieldFaults;
  explain?: (error: AtriumError) => Failure | undefined;
  wide?: boolean;
  /** What it sends deletes something for good. */
  isDeletion?: boolean;
  /** Stays open after it was sent: what comes next closes it. */
  stays?: boolean;
  children: (faultOf: (name: string) => string | undefined) => ReactNode;
}

/** A form over the page. */
export function FormDialog(props: FormDialogProps) {
  const { title, help, action, onClose, send, check, explain, wide, isDeletion, stays, children } = props;
  const id = useId();
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      await send();
      if (!stays) onClose();
    },
    { ...(check && { check }), ...(explain && { explain }) },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      help={help}
      {...(wide && { wide })}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look={isDeletion ? 'destroy' : 'primary'} type="submit" form={id} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} ref={form} onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4">
        <FailureNote failure={failure} />
        {children(faultOf)}
      </form>
    </Dialog>
  );
}
