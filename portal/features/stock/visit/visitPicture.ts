import { largestVisitPicture } from '#contract/stock/visit.ts'

const sides = [1280, 900, 640]
const qualities = [0.82, 0.65, 0.5]

const blobOf = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))

function drawn(image: ImageBitmap, side: number): HTMLCanvasElement {
  const scale = Math.min(1, side / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser draws no pictures.')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

const base64Of = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

/** A phone's picture as a JPEG in base64, scaled down to what a visit may carry. Throws for a damaged file. */
export async function visitPicture(file: File): Promise<string> {
  const image = await createImageBitmap(file)
  try {
    for (const side of sides) {
      const canvas = drawn(image, side)
      for (const quality of qualities) {
        const blob = await blobOf(canvas, quality)
        if (blob && blob.size <= largestVisitPicture) return await base64Of(blob)
      }
    }
  } finally {
    image.close()
  }
  throw new Error('The picture cannot be written small enough.')
}
