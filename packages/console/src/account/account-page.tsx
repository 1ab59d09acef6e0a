import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { accountTexts } from '../text/account.ts';
import { Page } from '../ui/page.tsx';
import { KeyboardSection } from './keyboard-section.tsx';
import { LookSection } from './look-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { OwnDataSection } from './own-data-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** The person's own page: it belongs to no workspace. */
export function AccountPage() {
  const back = (
    <Link
      to="/"
      aria-label={accountTexts.back}
      className="grid size-7.5 place-items-center rounded-2 text-text-2 hover:bg-sunken pointer-coarse:size-11"
    >
      <ArrowLeft size={16} aria-hidden />
    </Link>
  );
  return (
    <main className="flex h-dvh flex-col">
      <Page title={accountTexts.title} before={back}>
        <div className="mx-auto w-full max-w-215 px-5 pb-16 max-narrow:px-4">
          <ProfileSection />
          <LookSection />
          <KeyboardSection />
          <PasswordSection />
          <SecondFactorSection />
          <SessionsSection />
          <NotificationsSection />
          <OwnDataSection />
        </div>
      </Page>
    </main>
  );
}
