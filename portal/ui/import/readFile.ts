export interface FileContent {
  name: string
  data: string
}

/** A file with its content in base64. */
export const readFile = (file: File) =>
  new Promise<FileContent>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve({ name: file.name, data: String(reader.result).replace(/^[^,]*,?/, '') })
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
