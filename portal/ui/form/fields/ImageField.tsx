import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FileRule, fileFault } from '#contract/frame/file-rules.ts'
import classes from './Fields.module.css'
import { type ChosenFile, FileField } from './FileField.tsx'
import type { FieldProps } from './useField.tsx'

/** An image with its preview. Only a valid image is decoded: its header proves that it is small enough. */
export function ImageField<T extends Record<string, unknown>>(props: FieldProps<T> & { rule: FileRule }) {
  const { form, name, rule } = props
  const spoil = (file: ChosenFile) => {
    // The header is valid and the picture is not.
    form.getInputProps(name).onChange({ ...file, width: undefined, height: undefined })
    queueMicrotask(() => form.validateField(name))
  }
  return (
    <FileField
      {...props}
      preview={(file) => !fileFault(rule, file) && <Preview key={file.name} file={file} fail={() => spoil(file)} />}
    />
  )
}

function Preview({ file, fail }: { file: ChosenFile; fail: () => void }) {
  const { t } = useTranslation('form')
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file.file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file.file])
  if (!url) return null
  return (
    <img
      className={classes.preview}
      src={url}
      alt={t('field.file.preview', { name: file.name })}
      width={file.width}
      height={file.height}
      onError={fail}
    />
  )
}
