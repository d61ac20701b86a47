import { useTranslation } from 'react-i18next'
import classes from './Remarks.module.css'

/** A line of the file; leads to it in the raw file. */
export function LineButton({ line, show }: { line: number; show: (line: number) => void }) {
  const { t } = useTranslation('audit')
  return (
    <button type="button" className={classes.line} onClick={() => show(line)}>
      {t('line', { line })}
    </button>
  )
}
