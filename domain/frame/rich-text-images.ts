import type { BrokenRule } from '#contract/frame/broken.ts'
import { fileFault, fileRules } from '#contract/frame/file-rules.ts'
import { enoughBytes, factsOf } from './file-kind.ts'
import { withoutTrailing } from './trailing.ts'

const image = /<img src="data:image\/(?:png|jpeg);base64,([^"]*)"/g

/** Four signs of base64 are three bytes; nothing where they are not base64. */
function beginningOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64.slice(0, Math.ceil(enoughBytes / 3) * 4)), (sign) => sign.charCodeAt(0))
  } catch {
    return undefined
  }
}

const lengthOf = (base64: string) => Math.floor((withoutTrailing(base64, '=').length * 3) / 4)

/** The first rule that an image in a clean text breaks, by the image's content, not by its declared type. */
export function imageFault(html: string): BrokenRule | undefined {
  for (const [, base64 = ''] of html.matchAll(image)) {
    const facts = factsOf(beginningOf(base64) ?? new Uint8Array(), lengthOf(base64))
    const fault = fileFault(fileRules.richTextImage, facts)
    if (fault) return fault
  }
  return undefined
}
