import {
  type ScreenFile,
  type ScreenFileKind,
  screenFiles,
  screenPartBytes,
} from '#contract/configurations/screen-file.ts'
import { call } from '#portal/app/api.ts'

const base64Of = (part: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(part)
  })

/** Uploads a picture or video in parts; `onPart` receives the finished share from 0 to 1. */
export async function uploadScreenFile(
  merchantId: string,
  file: File,
  kind: ScreenFileKind,
  onPart: (share: number) => void,
): Promise<ScreenFile> {
  const name = file.name.slice(0, 120) || kind
  let made = await call(screenFiles.createScreenFile, {
    params: { merchantId },
    body: { name, kind, bytes: file.size },
  })
  for (let from = 0, part = 0; from < file.size; from += screenPartBytes, part += 1) {
    const data = await base64Of(file.slice(from, from + screenPartBytes))
    const params = { merchantId, screenFileId: made.id, part: String(part) }
    made = await call(screenFiles.putScreenFilePart, { params, body: { data } })
    onPart(Math.min(1, (from + screenPartBytes) / file.size))
  }
  return made
}
