// Shows notices that the server sends while the console is closed. They name no record; a click opens the console.
self.addEventListener('push', (event) => {
  let notice = {};
  try {
    notice = event.data?.json() ?? {};
  } catch {
    // Not a message of ours: it is shown without its text.
  }
  const body = typeof notice.text === 'string' ? notice.text : '';
  event.waitUntil(self.registration.showNotification('Atrium', { body, tag: notice.notification_id, data: notice }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const open = async () => {
    const windows = await self.clients.matchAll({ type: 'window' });
    if (windows[0]) await windows[0].focus();
    else await self.clients.openWindow('/');
  };
  event.waitUntil(open());
});
