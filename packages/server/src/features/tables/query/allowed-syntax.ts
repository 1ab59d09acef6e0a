/** What a question may be made of. Anything else is refused, also what PostgreSQL may learn to do one day. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Parts of the grammar. No FOR UPDATE, INTO, TABLESAMPLE, XML, JSON_TABLE, parameters of a server, … */
export const allowedNodes = words(`
  SelectStmt ResTarget ColumnRef A_Star RangeVar RangeSubselect RangeFunction JoinExpr Alias A_Expr BoolExpr A_Const
  ParamRef FuncCall TypeCast TypeName SubLink CaseExpr CaseWhen CoalesceExpr MinMaxExpr NullTest BooleanTest SortBy
  WithClause CommonTableExpr WindowDef SQLValueFunction A_ArrayExpr A_Indirection A_Indices RowExpr GroupingSet
  GroupingFunc List String Integer Float Boolean`);

/** Functions that compute with what they are given and do nothing else. None makes many rows or long texts of nothing. */
export const allowedFunctions = words(`
  count sum avg min max string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg bool_and bool_or every
  stddev stddev_pop stddev_samp variance var_pop var_samp corr percentile_cont percentile_disc mode
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  lower upper initcap length char_length character_length octet_length substring substr left right btrim ltrim rtrim trim
  position strpos split_part reverse concat concat_ws starts_with ascii md5 normalize overlay like_escape
  abs ceil ceiling floor round trunc sign sqrt cbrt exp ln log power mod div degrees radians width_bucket
  date_trunc date_part extract age to_char to_date to_timestamp to_number now timezone make_date make_time make_interval
  justify_days justify_hours justify_interval isfinite date_bin
  array_length cardinality array_to_string array_position array_append unnest
  to_json to_jsonb json_array_length jsonb_array_length json_typeof jsonb_typeof json_extract_path jsonb_extract_path
  json_extract_path_text jsonb_extract_path_text json_array_elements jsonb_array_elements json_array_elements_text
  jsonb_array_elements_text json_object_keys jsonb_object_keys json_each jsonb_each json_each_text jsonb_each_text
  json_build_object jsonb_build_object json_build_array jsonb_build_array jsonb_strip_nulls row_to_json`);

/** No regular expressions: a short one can take for ever. */
export const allowedOperators = words(`
  + - * / % ^ = <> != < > <= >= || -> ->> #> #>> @> <@ ? ?| ?& && ~~ !~~ ~~* !~~*
  BETWEEN NOT_BETWEEN BETWEEN_SYMMETRIC NOT_BETWEEN_SYMMETRIC`);

/** None of the types that look things up by name, such as regclass. */
export const allowedTypes = words(`
  text varchar bpchar char int2 int4 int8 smallint integer bigint numeric float4 float8 bool date time timetz timestamp
  timestamptz interval uuid json jsonb`);

export const allowedValues = words(`
  SVFOP_CURRENT_DATE SVFOP_CURRENT_TIME SVFOP_CURRENT_TIME_N SVFOP_CURRENT_TIMESTAMP SVFOP_CURRENT_TIMESTAMP_N
  SVFOP_LOCALTIME SVFOP_LOCALTIME_N SVFOP_LOCALTIMESTAMP SVFOP_LOCALTIMESTAMP_N`);
