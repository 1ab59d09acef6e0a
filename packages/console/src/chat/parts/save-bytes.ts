/** Hands bytes to the browser as a download. */
export function saveBytes(name: string, bytes: Blob): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
