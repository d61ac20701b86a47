import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from './announce.ts'
import classes from './CopyId.module.css'

/** A serial or id that one click copies. `short` shows its last characters alone. */
export function CopyId({ value, isShort = false }: { value: string | null | undefined; isShort?: boolean }) {
  const { t } = useTranslation('ui')
  const [isCopied, setCopied] = useState(false)
  // Lists have thousands of these, and each part of them is drawn while they scroll.
  const [isNear, setNear] = useState(false)
  if (!value) return null
  const shown = isShort ? `…${value.slice(-8)}` : value
  const copy = async () => {
    await copyText(value)
    setCopied(true)
    announce(t('copy.done'))
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <button
      type="button"
      className={classes.id}
      title={isShort ? value : undefined}
      aria-label={t('copy.do', { value: shown })}
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
      onFocus={() => setNear(true)}
      onBlur={() => setNear(false)}
      onClick={(event) => {
        event.stopPropagation()
        void copy()
      }}
    >
      <span>{shown}</span>
      {isCopied ? (
        <IconCheck size={13} aria-hidden className={classes.done} />
      ) : (
        isNear && <IconCopy size={13} aria-hidden className={classes.icon} />
      )}
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
