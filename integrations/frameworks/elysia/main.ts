import { app } from './recipe.ts'

app.listen(0, ({ url }) => console.log(url.origin))
