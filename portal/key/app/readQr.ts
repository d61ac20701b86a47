interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]>
}
type Detectors = { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<readonly string[]> }

/** The longer side of the picture that the script reads. */
const side = 640

/** Reads QR codes from a camera: by the browser where it can, otherwise by jsQR, which loads on demand. */
export async function openReader(): Promise<(video: HTMLVideoElement) => Promise<string | undefined>> {
  const { BarcodeDetector } = window as { BarcodeDetector?: Detectors }
  if (BarcodeDetector && (await BarcodeDetector.getSupportedFormats().catch((): string[] => [])).includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    return async (video) => (await detector.detect(video))[0]?.rawValue
  }
  const { default: jsQR } = await import('jsqr')
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (video) => {
    const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight, 1))
    const width = Math.round(video.videoWidth * scale)
    const height = Math.round(video.videoHeight * scale)
    if (!context || width === 0) return undefined
    Object.assign(canvas, { width, height })
    context.drawImage(video, 0, 0, width, height)
    return jsQR(context.getImageData(0, 0, width, height).data, width, height)?.data
  }
}
