import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FileFacts, type FileRule, fileFault } from '#contract/frame/file-rules.ts'
import { FileBox } from '#portal/ui/form/fields/FileBox.tsx'
import { chosenFile } from '#portal/ui/form/fields/FileField.tsx'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import { sentenceOf } from '../../app/apiError.ts'
import classes from './KeyPortal.module.css'

interface Props<F extends { id: string; name: string; bytes: number }> {
  label: string
  description?: string
  ruleOf: (facts: FileFacts) => FileRule
  file: F | null
  preview?: ReactNode
  error?: ReactNode
  isFixed?: boolean
  send: (file: File, onProgress: (share: number) => void, signal: AbortSignal) => Promise<F>
  set: (file: F | null) => void
}

/** A file that is uploaded when it is chosen, and saved with the form. It is checked by its content first. */
export function UploadField<F extends { id: string; name: string; bytes: number }>(props: Props<F>) {
  const { label, description, ruleOf, file, preview, error, isFixed, send, set } = props
  const { t } = useTranslation(['form', 'errors'])
  const say = useRuleSentence()
  const [share, setShare] = useState<number>()
  const [fault, setFault] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const take = async (file: File) => {
    const facts = await chosenFile(file)
    const brokenRule = fileFault(ruleOf(facts), facts)
    setFault(brokenRule && say(brokenRule))
    if (brokenRule) return
    running.current = new AbortController()
    setShare(0)
    try {
      set(await send(file, setShare, running.current.signal))
    } catch (failure) {
      if (!(failure instanceof DOMException)) setFault(sentenceOf((key, values) => t(key, values), failure))
    } finally {
      setShare(undefined)
    }
  }
  return (
    <FileBox
      {...{ label, description, file, take }}
      rule={ruleOf({ kind: 'unknown', bytes: 0 })}
      preview={preview && <span className={classes.preview}>{preview}</span>}
      error={fault ?? error}
      isFixed={Boolean(isFixed)}
      isBusy={share !== undefined}
      share={share}
      clear={() => set(null)}
    />
  )
}
