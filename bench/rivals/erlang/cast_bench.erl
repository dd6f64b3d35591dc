%% A flood of gen_server:cast to one supervised, registered server, then a call that proves all were handled.
-module(cast_bench).
-behaviour(supervisor).
-export([main/1, init/1]).

init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 3, period => 60},
          [#{id => echo, start => {echo_server, start_link, []}}]}}.

main(Count) ->
    {ok, _} = supervisor:start_link({local, root}, ?MODULE, []),
    loop(Count div 5),
    Before = gen_server:call(echo, count, 60000),
    Start = erlang:monotonic_time(microsecond),
    loop(Count),
    Done = gen_server:call(echo, count, 60000) - Before,
    Elapsed = erlang:monotonic_time(microsecond) - Start,
    io:format("done ~p ~p~n", [Done, Elapsed]).

loop(0) -> ok;
loop(N) ->
    gen_server:cast(echo, #{<<"sequence">> => N, <<"kind">> => <<"measurement">>, <<"unit">> => <<"degree-celsius">>, <<"value">> => 21.5}),
    loop(N - 1).
