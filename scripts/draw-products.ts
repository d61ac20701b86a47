// npm run draw:products: turns the drawings of the demo's products into pictures, with Chromium.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { drawings } from '#demo/catalogue/pictures/draw.ts'
import { requireTool, tools } from './tools.ts'

const folder = join(import.meta.dirname, '..', 'demo', 'catalogue', 'pictures')
const browser = await chromium.launch({
  executablePath: requireTool(tools.chromium),
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage()
for (const [code, draw] of Object.entries(drawings)) {
  for (const [size, suffix] of [
    [256, ''],
    [64, '-64'],
  ] as const) {
    const url = await page.evaluate(
      async ({ source, side }) => {
        const image = new Image()
        image.src = `data:image/svg+xml;base64,${btoa(source)}`
        await image.decode()
        const canvas = new OffscreenCanvas(side, side)
        canvas.getContext('2d')?.drawImage(image, 0, 0, side, side)
        const bytes = new Uint8Array(
          await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 })).arrayBuffer(),
        )
        return btoa(String.fromCharCode(...bytes))
      },
      { source: draw(), side: size },
    )
    writeFileSync(join(folder, `${code}${suffix}.webp`), Buffer.from(url, 'base64'))
  }
}
await browser.close()
console.log(`${Object.keys(drawings).length} products are drawn`)
