import classes from './Product.module.css'

/** A small picture of a product, or its first letter, beside its name. */
export function ProductThumb({ name, thumbnail }: { name: string; thumbnail: string | null }) {
  if (thumbnail) return <img className={classes.thumb} src={thumbnail} alt="" width={32} height={32} />
  return (
    <span className={`${classes.thumb} ${classes.letter}`} aria-hidden>
      {[...name][0]?.toLocaleUpperCase()}
    </span>
  )
}
