import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '../dialog/announce.ts'
import classes from './CopyId.module.css'

/** A serial or id with a copy button. `short` shows only its last characters. */
export function CopyId({ value, isShort = false }: { value: string | null | undefined; isShort?: boolean }) {
  const { t } = useTranslation('ui')
  const [isCopied, setCopied] = useState(false)
  // Lists have thousands of these, and each part is rendered during scrolling.
  const [isNear, setNear] = useState(false)
  if (!value) return null
  const text = isShort ? `…${value.slice(-8)}` : value
  const copy = async () => {
    if (!(await copyText(value))) return
    setCopied(true)
    announce(t('copy.done'))
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <button
      type="button"
      className={`${classes.id} lights inks`}
      title={isShort ? value : undefined}
      aria-label={t('copy.do', { value: text })}
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
      onFocus={() => setNear(true)}
      onBlur={() => setNear(false)}
      onClick={(event) => {
        event.stopPropagation()
        void copy()
      }}
    >
      <span>{text}</span>
      {isCopied ? (
        <IconCheck size={13} aria-hidden className={classes.done} />
      ) : (
        isNear && <IconCopy size={13} aria-hidden className={classes.icon} />
      )}
    </button>
  )
}

/** Copies a text to the clipboard. If the browser refuses, a message says so and the result is false. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const { toast } = await import('../../app/toast/toast.tsx')
    toast.error('ui:copy.failed')
    return false
  }
}
