import { personClient } from '../api/client.ts';
import { accountTexts } from '../text/account.ts';
import { nameDevice } from './name-device.ts';

export const canShowNotices = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const bytesOf = (base64: string) =>
  Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** Whether this browser is subscribed already. */
export async function isSubscribed(): Promise<boolean> {
  if (!canShowNotices()) return false;
  const worker = await navigator.serviceWorker.getRegistration('/');
  return Boolean(await worker?.pushManager.getSubscription());
}

/** Asks the browser for its permission and adds it to the person's devices. Called only after a click. */
export async function subscribeDevice(): Promise<'added' | 'denied'> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  const { public_key } = await personClient.pushSubscriptions.getKey();
  await navigator.serviceWorker.register('/notices.js', { scope: '/' });
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(public_key),
  });
  const { endpoint, keys } = subscription.toJSON();
  const device = nameDevice(navigator.userAgent);
  await personClient.pushSubscriptions.create({
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
    label: device ? accountTexts.sessions.on(device.browser, device.system) : '',
  });
  return 'added';
}
