import { Group } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { copyText } from '#portal/ui/value/CopyId.tsx'
import classes from './Association.module.css'

/** Shell commands, copied in one click. */
export function CodeBlock({ name, code }: { name: string; code: string }) {
  const { t } = useTranslation(['association', 'ui'])
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(code))) return
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <Panel component="figure" mb="xs" className="clips">
      <Group
        component="figcaption"
        gap="near"
        wrap="nowrap"
        justify="space-between"
        py="snug"
        pl="part"
        pr="snug"
        fz="sm"
        fw={560}
        className={classes.caption}
      >
        <span>{name}</span>
        <button
          type="button"
          className={`${classes.copy} lights inks`}
          aria-label={t('association:copy', { name })}
          onClick={() => void copy()}
        >
          {isCopied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
          <span aria-hidden>{isCopied ? t('ui:copy.done') : t('association:copyShort')}</span>
          <span className="unseen" role="status">
            {isCopied ? t('ui:copy.done') : ''}
          </span>
        </button>
      </Group>
      <pre className={classes.code}>
        <code>{code}</code>
      </pre>
    </Panel>
  )
}
