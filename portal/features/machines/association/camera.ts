/** The browser's own code reader; Chrome on Android has one, other browsers not yet. */
interface CodeReader {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
type CodeReaderClass = new (options: { formats: string[] }) => CodeReader

const formats = ['qr_code', 'data_matrix', 'code_128', 'code_39', 'ean_13']

const readerClass = () => (globalThis as { BarcodeDetector?: CodeReaderClass }).BarcodeDetector

/** Whether this browser reads codes with a camera. Without TLS it offers no camera. */
export const canScan = () => readerClass() !== undefined && navigator.mediaDevices?.getUserMedia !== undefined

const lookMs = 200

/**
 * Shows the rear camera in a video and calls back with each visible code, until the signal is aborted. Throws when the
 * camera cannot be used.
 */
export async function readCodes(video: HTMLVideoElement, onCode: (code: string) => void, signal: AbortSignal) {
  const Reader = readerClass()
  if (!Reader) throw new Error('This browser reads no codes')
  const reader = new Reader({ formats })
  const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  const stop = () => {
    for (const track of camera.getTracks()) track.stop()
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) return stop()
  video.srcObject = camera
  await video.play()
  while (!signal.aborted) {
    // An unreadable frame is followed by the next one.
    const codes = await reader.detect(video).catch(() => [])
    for (const { rawValue } of signal.aborted ? [] : codes) onCode(rawValue)
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}
