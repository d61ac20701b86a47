import { largestPicture, largestThumbnail } from '#contract/catalogue/product-edit.ts'

const pictureSide = 800
const thumbnailSide = 64
const qualities = [0.86, 0.72, 0.55, 0.4]

const blobOf = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))

const urlOf = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

function drawn(image: ImageBitmap, side: number, ground?: string): HTMLCanvasElement {
  const scale = Math.min(1, side / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser draws no pictures.')
  if (ground) {
    context.fillStyle = ground
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** A picture as a data URL below a size in bytes. Browsers that write no WebP write JPEG, on white. */
async function written(image: ImageBitmap, side: number, largest: number): Promise<string> {
  for (const [type, ground] of [['image/webp'], ['image/jpeg', '#ffffff']] as const) {
    const canvas = drawn(image, side, ground)
    for (const quality of qualities) {
      const blob = await blobOf(canvas, type, quality)
      if (blob?.type === type && blob.size <= largest) return urlOf(blob)
    }
  }
  throw new Error('The picture cannot be written small enough.')
}

/** Scales a picture down to its stored size. Throws for a damaged file. */
export async function scaledPicture(file: File): Promise<{ full: string; thumbnail: string }> {
  const image = await createImageBitmap(file)
  try {
    return {
      full: await written(image, pictureSide, largestPicture),
      thumbnail: await written(image, thumbnailSide, largestThumbnail),
    }
  } finally {
    image.close()
  }
}
