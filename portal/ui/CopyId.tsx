import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './CopyId.module.css'

/** A serial or id that one click copies. `short` shows its last characters alone. */
export function CopyId({ value, isShort = false }: { value: string | null | undefined; isShort?: boolean }) {
  const { t } = useTranslation('ui')
  const [isCopied, setCopied] = useState(false)
  if (!value) return null
  const shown = isShort ? `…${value.slice(-8)}` : value
  const copy = async () => {
    await copyText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <button
      type="button"
      className={classes.id}
      title={isShort ? value : undefined}
      aria-label={t('copy.do', { value: shown })}
      onClick={(event) => {
        event.stopPropagation()
        void copy()
      }}
    >
      <span>{shown}</span>
      {isCopied ? (
        <IconCheck size={13} aria-hidden className={classes.done} />
      ) : (
        <IconCopy size={13} aria-hidden className={classes.icon} />
      )}
      <span className="unseen" role="status">
        {isCopied ? t('copy.done') : ''}
      </span>
    </button>
  )
}

/** Puts a text on the clipboard. */
export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    copyTheOldWay(text)
  }
}

/** Pages served without TLS have no clipboard to write to. */
function copyTheOldWay(text: string) {
  const area = Object.assign(document.createElement('textarea'), { value: text })
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
